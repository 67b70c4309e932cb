"""Description -> plain numbers and structure: what every formulation reads."""
