"""flexwheel detection-train: networks and look-up table of a profile pair for the detection of contact points."""

import json
from dataclasses import dataclass
from typing import Annotated

import typer

from flexwheel.assess.commands import contact_options
from flexwheel.base.command import Command


@dataclass(frozen=True)
class TrainOptions:
    """Range of the poses, and how networks are trained."""

    yaw_mrad: Annotated[float, typer.Option("--yaw-mrad", help="Range of the yaw angle, both signs.")] = 17.4533
    roll_mrad: Annotated[float, typer.Option("--roll-mrad", help="Range of the roll angle, both signs.")] = 13.09
    shift_mm: Annotated[float, typer.Option("--shift-mm", help="Range of the lateral shift, both signs.")] = 10.3
    neurons: Annotated[int, typer.Option("--neurons", help="Neurons of the network of each class.")] = 24
    class_neurons: Annotated[int, typer.Option("--class-neurons", help="Neurons of the classifier.")] = 60
    by_number: Annotated[
        bool, typer.Option("--by-number", help="One network for each number of points, not for each region.")
    ] = False
    samples: Annotated[int, typer.Option("--samples", help="Configurations for the classifier.")] = 16000
    epochs: Annotated[int, typer.Option("--epochs", help="Largest number of training epochs.")] = 300

    def training(self, radius):
        """TrainingOptions for a rolling radius [m]."""
        from flexwheel.contact.detection.trained_detection import TrainingOptions

        return TrainingOptions(
            yaw=1e-3 * self.yaw_mrad, roll=1e-3 * self.roll_mrad, shift=1e-3 * self.shift_mm, radius=radius,
            neurons=self.neurons, class_neurons=self.class_neurons, samples=self.samples, epochs=self.epochs,
            by_number=self.by_number,
        )  # fmt: skip


TOPIC = "contact"
RARE = (
    "--profile-unit", "--decimal", "--mirror-wheel", "--mirror-rail", "--flip-wheel", "--flip-rail", "--wheel-shift-mm",
    "--smoothing-mm", "--cutoff-mm", "--rail-inclined",
)  # fmt: skip
EXAMPLES = ("flexwheel detection-train --rail UIC60 --inclination 1:40",)


def command(
    *,
    wheel: Annotated[str, typer.Option("--wheel", help="S1002 or a profile file.")] = "S1002",
    rail: Annotated[str, typer.Option("--rail", help="UIC60, 60E1 or a profile file.")] = "60E1",
    inclination: Annotated[str, typer.Option("--inclination", help="Inclination of the rail: 1:40, 1:20, 0.")] = "1:40",
    radius_m: Annotated[float, typer.Option("--radius-m", help="Rolling radius of the wheel.")] = 0.46,
    files: contact_options.ProfileFileOptions,
    train: TrainOptions,
    file: Annotated[str | None, typer.Option("--file", help="File for the result; default: in the cache.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Train the networks and make the look-up table of a wheel and a rail, and store them by the profiles' content.

    JSON: {file, key, classes: [{points, share, place_error_m, epochs}], classifier_epochs, table_nodes}; share is that
    of the range's configurations in the class, place_error_m the rms on samples not trained with.
    """
    from flexwheel.assess.commands.detection_pair import contact_pair, trained_for

    contact, _ = contact_pair(wheel, rail, inclination, radius_m, files.files([wheel], [rail]), files.rail_inclined)
    trained, path = trained_for(contact, train.training(radius_m), file, again=True)
    rows = [
        {"points": int(p), "share": float(s), "place_error_m": float(e), "epochs": int(n)}
        for p, s, e, n in zip(
            trained.arrays["class_points"], trained.share, trained.place_error, trained.epochs[1:], strict=True
        )
    ]
    if as_json:
        figures = {
            "file": str(path),
            "key": trained.key,
            "classes": rows,
            "classifier_epochs": int(trained.epochs[0]),
            "table_nodes": list(trained.options.table),
        }
        print(json.dumps(figures, indent=1))
        return
    print(f"{'minima':>6} {'share of range':>15} {'rms error':>12} {'epochs':>7}")
    for row in rows:
        error = f"{1e3 * row['place_error_m']:.3f} mm"
        print(f"{row['points']:6d} {100 * row['share']:13.2f} % {error:>12} {row['epochs']:7d}")
    print(f"classifier: {trained.epochs[0]} epochs; table: {' x '.join(map(str, trained.options.table))} nodes")
    print(f"stored: {path}")


COMMAND = Command("detection-train", command, TOPIC, EXAMPLES, RARE)
