"""Linear models: inputs and outputs, the model between them with its zeros and files, and how it is made."""
