"""Git: the command in an isolated environment, object ids, trees and files as rows."""
