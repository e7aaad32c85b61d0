"""What `Tools/test` is made of: running the runners, reading what they counted, and believing none of them blindly."""
