//! Plays: the client of one session, over its channel. Who may open one is [`super::door`]'s.

use std::sync::Arc;

use russh::server::Msg;
use russh::{Channel, ChannelMsg};
use tokio::time::timeout;

use super::door::Shared;
use super::limits::IDLE_TIME;
use super::request::{Request, args};

/// Says what the session asks for, until a key is pressed. Returns the exit status.
pub(crate) async fn run(shared: Arc<Shared>, request: Request, mut channel: Channel<Msg>) -> u32 {
    let args = match args(&request, &shared.server) {
        Ok(args) => args,
        Err(why) => {
            let _ = channel.extended_data_bytes(1, format!("noughts: {why}\r\n")).await;
            return 2;
        }
    };
    let _ = channel.data_bytes(format!("{:?}\r\n", args.action())).await;
    loop {
        let message = tokio::select! {
            message = timeout(IDLE_TIME, channel.wait()) => message,
            () = shared.stop.cancelled() => {
                let _ = channel.data_bytes("The door is closed.\r\n".to_owned()).await;
                return 1;
            }
        };
        if let Ok(Some(ChannelMsg::WindowChange { .. } | ChannelMsg::WindowAdjusted { .. })) =
            message
        {
            continue;
        }
        return 0;
    }
}
