"""Stress in sections: the points where it may be largest, and what each load contributes there."""
