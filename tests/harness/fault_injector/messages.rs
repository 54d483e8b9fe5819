//! Faults of whole WebSocket messages. TCP never loses or doubles bytes in the middle of a
//! connection; a faulty proxy or program on the way can, and clients must heal from it.

/// Shares of all messages, from 0 to 1, in either direction.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MessageFaults {
    /// Messages that are lost.
    pub lost: f64,
    /// Messages that arrive twice.
    pub doubled: f64,
    /// Messages at which the connection is cut.
    pub cut: f64,
    /// Every message to the client that contains this text is lost. A client's own are masked.
    pub lost_text: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It arrives so many times: never, once or twice.
    Arrives(usize),
    CutsConnection,
}

impl MessageFaults {
    /// Every message arrives once.
    pub const NONE: Self = Self { lost: 0.0, doubled: 0.0, cut: 0.0, lost_text: None };

    /// Decides about a message's frame, with random numbers from 0 to 1.
    pub(super) fn draw(&self, frame: &[u8], chance: impl Fn() -> f64) -> Fate {
        let is_lost = |text: &str| frame.windows(text.len()).any(|part| part == text.as_bytes());
        if self.lost_text.is_some_and(is_lost) {
            Fate::Arrives(0)
        } else if chance() < self.cut {
            Fate::CutsConnection
        } else if chance() < self.lost {
            Fate::Arrives(0)
        } else {
            Fate::Arrives(1 + usize::from(chance() < self.doubled))
        }
    }
}

/// Splits one direction of a WebSocket connection into its HTTP head and its frames.
#[derive(Debug, Default)]
pub(super) struct FrameSplitter {
    buffered: Vec<u8>,
    is_upgraded: bool,
}

/// The HTTP head or a frame.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) bytes: Vec<u8>,
    /// Whether it is a whole text message: not the head, not a ping, not a close.
    pub(super) is_message: bool,
}

/// The first byte of a text message in one frame (RFC 6455, section 5.2).
const WHOLE_TEXT: u8 = 0x81;

impl FrameSplitter {
    /// Takes bytes in. An empty slice is the end of the stream.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.buffered.extend_from_slice(bytes);
    }

    /// The next frame, once all of it was pushed.
    pub(super) fn next_frame(&mut self) -> Option<Frame> {
        let length = if self.is_upgraded {
            frame_length(&self.buffered)
        } else {
            let head_end = self.buffered.windows(4).position(|bytes| bytes == b"\r\n\r\n");
            head_end.map(|end| end + 4)
        };
        let length = length.filter(|length| *length <= self.buffered.len())?;
        let is_message = self.is_upgraded && self.buffered[0] == WHOLE_TEXT;
        self.is_upgraded = true;
        let rest = self.buffered.split_off(length);
        Some(Frame { bytes: std::mem::replace(&mut self.buffered, rest), is_message })
    }
}

/// The length of the frame that begins here, head included; `None` without its whole head.
fn frame_length(bytes: &[u8]) -> Option<usize> {
    let second = *bytes.get(1)?;
    let mask = if second & 0x80 == 0 { 0 } else { 4 };
    let (head, payload) = match second & 0x7f {
        126 => (4, usize::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?))),
        127 => (10, u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?) as usize),
        short => (2, usize::from(short)),
    };
    Some(head + mask + payload)
}
