//! The engine on real NATS servers that are killed, stopped, frozen and started again, and servers that
//! refuse a node.
