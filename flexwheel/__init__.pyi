from flexwheel.face.calls import contact as contact
from flexwheel.face.calls import eigen as eigen
from flexwheel.face.calls import open_results as open_results
from flexwheel.face.calls import report as report
from flexwheel.face.calls import response as response
from flexwheel.face.calls import run as run
from flexwheel.face.datasets import Results as Results
from flexwheel.face.scenario import Scenario as Scenario
from flexwheel.face.track import Track as Track
from flexwheel.face.vehicle import Body as Body
from flexwheel.face.vehicle import Vehicle as Vehicle
from flexwheel.face.vehicle_body import VehicleBody as VehicleBody
from flexwheel.face.wheelset import Wheelset as Wheelset
from flexwheel.studies.sweep_call import sweep as sweep

__version__: str
