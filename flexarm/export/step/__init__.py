"""The motion of an arm over a period as one file of C99: parameters, state, inputs, sensors and controllers."""
