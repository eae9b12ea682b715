"""A worker of BuildGrid: takes one action after the other and has buildbox-run execute it.

usage: bot.py SERVER NAME RUNNER [ARGUMENT...]

Each step is a line of standard output, so that a test can kill the worker at that moment: `ready`, `took`, `executed`.
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


def update(session):
    """Tells the server about the leases, and waits for another one if there is none."""
    request = bots_pb2.UpdateBotSessionRequest(name=session.name, bot_session=session)
    return bots.UpdateBotSession(request, timeout=60)


def active_lease(session):
    return next((lease for lease in session.leases if lease.state == bots_pb2.ACTIVE), None)


def execute(session):
    """Executes the action of the active lease. Its result becomes a part of the session, unless the lease is cancelled meanwhile."""
    action = Action()
    active_lease(session).payload.Unpack(action)
    with tempfile.TemporaryDirectory() as folder:
        order, result, log = (Path(folder, name) for name in ("action", "result", "log"))
        order.write_bytes(action.SerializeToString())
        command = [*runner, f"--remote=http://{server}", f"--action={order}", f"--action-result={result}"]
        with log.open("wb") as said:
            process = subprocess.Popen(command, stdout=said, stderr=said)
        while True:
            try:
                process.wait(timeout=1)
                break
            except subprocess.TimeoutExpired:
                # The server takes a worker without news for dead.
                session = update(session)
                if active_lease(session) is None:
                    process.kill()
                    process.wait()
                    return session
        lease = active_lease(session)
        if result.exists():
            lease.result.Pack(ActionResult.FromString(result.read_bytes()))
        else:
            lease.status.code = code_pb2.INTERNAL
            lease.status.message = log.read_text(errors="replace")[-1000:]
        lease.state = bots_pb2.COMPLETED
    return session


def register():
    # A worker that is not healthy yet gets an answer at once. A healthy one waits for work.
    session = bots_pb2.BotSession(bot_id=name, status=bots_pb2.UNHEALTHY)
    session.worker.devices.add(handle="here")
    request = bots_pb2.CreateBotSessionRequest(parent="", bot_session=session)
    session = bots.CreateBotSession(request, timeout=60, wait_for_ready=True)
    session.status = bots_pb2.OK
    return session


session = register()
say("ready")
while True:
    try:
        for lease in session.leases:
            if lease.state == bots_pb2.PENDING:
                lease.state = bots_pb2.ACTIVE
        if active_lease(session) is not None:
            say("took")
            session = execute(session)
            say("executed")
        for lease in list(session.leases):
            if lease.state == bots_pb2.CANCELLED:
                session.leases.remove(lease)
        session = update(session)
    except grpc.RpcError:
        # The server has taken this worker for dead, or was busy.
        session = register()
