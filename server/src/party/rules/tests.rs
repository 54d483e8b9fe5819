//! The party's rules without a runtime. A [`world::World`] plays a party and checks after each fact what
//! must always hold ([`checks`]). [`evening`] plays whole parties of any size with all that happens in
//! them. The other files are single cases.

mod again;
mod checks;
mod coming;
mod ends;
mod evening;
mod formats;
mod golden;
mod leading;
mod places;
mod succession;
mod swiss;
mod tables;
mod world;
