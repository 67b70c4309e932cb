"""Small URDF texts."""

SKEW = """\
<robot name="skew">
  <link name="world"/>
  <link name="one">
    <inertial><origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/><mass value="2"/>
      <inertia ixx="0.3" iyy="0.25" izz="0.2" ixy="0.01" ixz="0.02" iyz="-0.03"/></inertial>
  </link>
  <link name="two">
    <inertial><origin xyz="0 0.1 0"/><mass value="1.5"/>
      <inertia ixx="0.02" iyy="0.02" izz="0.03" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="ring"/>
  <link name="three">
    <inertial><origin xyz="0.05 0 0"/><mass value="0.5"/>
      <inertia ixx="0.001" iyy="0.002" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="tool">
    <inertial><mass value="0.2"/>
      <inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="a" type="continuous">
    <parent link="world"/><child link="one"/>
    <origin xyz="0.1 0.2 0.5" rpy="0.3 -0.4 0.5"/><axis xyz="1 2 2"/>
  </joint>
  <joint name="b" type="revolute">
    <parent link="one"/><child link="two"/>
    <origin xyz="0.4 0.3 0.6" rpy="0 1.5707963267948966 0.7"/><axis xyz="0 -1 0"/>
    <limit lower="0.5" upper="1.5" effort="0" velocity="1"/>
  </joint>
  <joint name="rim" type="fixed">
    <parent link="two"/><child link="ring"/><origin xyz="0 0.4 0.1" rpy="0.2 0 0"/>
  </joint>
  <joint name="c" type="prismatic">
    <parent link="ring"/><child link="three"/><origin rpy="0 0 1"/><axis xyz="0 0 3"/>
    <limit effort="30" velocity="1" lower="-1" upper="1"/><dynamics friction="2"/>
  </joint>
  <joint name="hold" type="fixed">
    <parent link="three"/><child link="tool"/><origin xyz="0.1 0.2 0" rpy="0 0 -1"/>
  </joint>
</robot>
"""
"""Three joints whose axes and frames have no direction in common."""


def changed(*replacements, text=SKEW):
    """The text with parts replaced, each of which must stand in it."""
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text
