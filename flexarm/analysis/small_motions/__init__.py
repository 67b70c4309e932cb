"""Small motions about an operating point: their linear equations, natural modes, Campbell diagram."""
