"""A worker of BuildGrid: takes one action after the other and has buildbox-run execute it.

usage: bot.py SERVER NAME RUNNER [ARGUMENT...]

Each step is a line of standard output, so that a test can kill the worker at that moment: `ready`, `took`, `executed`, `reported`.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import grpc
from buildgrid._protos.build.bazel.remote.execution.v2.remote_execution_pb2 import Action, ActionResult
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import bots_pb2, bots_pb2_grpc
from buildgrid._protos.google.rpc import code_pb2

server, name, *runner = sys.argv[1:]
bots = bots_pb2_grpc.BotsStub(grpc.insecure_channel(server))


def say(step):
    print(step, flush=True)


def execute(lease):
    """Sets the result of a lease, or says why there is none."""
    action = Action()
    lease.payload.Unpack(action)
    with tempfile.TemporaryDirectory() as folder:
        order, result = Path(folder, "action"), Path(folder, "result")
        order.write_bytes(action.SerializeToString())
        command = [*runner, f"--remote=http://{server}", f"--action={order}", f"--action-result={result}"]
        ran = subprocess.run(command, capture_output=True, text=True)
        if result.exists():
            lease.result.Pack(ActionResult.FromString(result.read_bytes()))
        else:
            lease.status.code = code_pb2.INTERNAL
            lease.status.message = ran.stderr[-1000:]


# A worker that is not healthy yet gets an answer at once. A healthy one waits for work.
session = bots_pb2.BotSession(bot_id=name, status=bots_pb2.UNHEALTHY)
session.worker.devices.add(handle="here")
request = bots_pb2.CreateBotSessionRequest(parent="", bot_session=session)
session = bots.CreateBotSession(request, timeout=60, wait_for_ready=True)
session.status = bots_pb2.OK
say("ready")
while True:
    executed = False
    for lease in session.leases:
        if lease.state == bots_pb2.PENDING:
            lease.state = bots_pb2.ACTIVE
        elif lease.state == bots_pb2.ACTIVE:
            say("took")
            execute(lease)
            say("executed")
            lease.state = bots_pb2.COMPLETED
            executed = True
    request = bots_pb2.UpdateBotSessionRequest(name=session.name, bot_session=session)
    session = bots.UpdateBotSession(request, timeout=60)
    if executed:
        say("reported")
