import Gantry
