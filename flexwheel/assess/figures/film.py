"""Films: a series of pictures as an MP4 file (H.264), beside the GIF, by ffmpeg as imageio-ffmpeg brings it along."""

import importlib.util

from flexwheel.base.output_files import write_whole

MISSING = "no MP4: imageio-ffmpeg is not installed (pip install 'flexwheel[film]'); the GIF holds the same frames"
ROUNDS = 3  # that a film repeats its frames


def has_ffmpeg():
    """Whether films can be written."""
    return importlib.util.find_spec("imageio_ffmpeg") is not None


def write_film(images, path, frames_per_second):
    """Write RGB pictures (F, rows, columns, 3) uint8 as MP4, ROUNDS times over, and return path; needs `has_ffmpeg`."""
    import imageio_ffmpeg
    import numpy as np

    rows, columns = (2 * (size // 2) for size in images[0].shape[:2])  # H.264 halves its colours

    def write(target):
        look = dict(fps=frames_per_second, codec="libx264", quality=8, macro_block_size=2, ffmpeg_log_level="error")
        writer = imageio_ffmpeg.write_frames(str(target), (columns, rows), **look)
        writer.send(None)
        for _ in range(ROUNDS):
            for image in images:
                writer.send(np.ascontiguousarray(image[:rows, :columns, :3]))
        writer.close()

    write_whole(path, write)
    return path
