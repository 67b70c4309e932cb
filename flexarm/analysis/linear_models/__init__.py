"""Linear models: their inputs, the model between them with its zeros and files, and how it is made."""
