"""Motors of elastic joints along an inverse motion of the links."""
