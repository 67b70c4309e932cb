"""Files as a whole: written whole or not at all, their parts, their digest, disks that fill up."""
