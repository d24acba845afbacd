"""The transport bar: buttons, timeline, and markers for events."""
