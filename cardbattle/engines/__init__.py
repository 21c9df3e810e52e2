"""Engines: commanders that run as programs of their own and speak the protocol of docs/protocol.md."""
