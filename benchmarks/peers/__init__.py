"""What flexarm is compared with, called as directly as it allows."""
