"""Commands to the time cursor."""

from quatviz.simulation.commands import ClearRange, Pause, Play, Seek, SetLoop, SetRange, SetSpeed
from random_user.actions.base import UserAction
from random_user.user import RandomUser


class Times(UserAction):
    """Send one command to the cursor: play, pause, seek, speed, loop or range."""

    name = "times"
    weight = 2.0

    def do(self, user: RandomUser) -> None:
        end = user.session.simulation.preset.run.duration
        first, second = sorted(user.random.uniform(0.0, end) for _ in range(2))
        speed = user.pick((0.25, 1.0, 4.0, -1.0, -2.0))
        loop = user.random.random() < 0.5
        commands = [Play(), Pause(), Seek(first), SetSpeed(speed), SetLoop(loop), ClearRange()]
        if second > first:
            commands.append(SetRange(first, second))
        command = user.pick(commands)
        user.log(repr(command))
        user.window.command.emit(command)
