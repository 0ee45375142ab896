"""The program `mirrorkeeper-verify`, in Rust, and its place in the wheel."""
