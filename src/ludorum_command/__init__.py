"""What the command starts with: so little that Ctrl-C is heard before the package is loaded, which takes a while.

It stands beside the package because whatever is inside comes after the package.
"""


def main() -> None:
    """Run the command. Whoever interrupts it while it is being loaded ends it at once, without a word."""
    try:
        import os
        import signal

        # In the background of a script Ctrl-C is ignored, and stays so.
        is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if is_heard:
            # Not by an exception, which may get lost in the middle of an import.
            signal.signal(signal.SIGINT, lambda *_: os._exit(130))
        import ludorum.cli.app

        if is_heard:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        ludorum.cli.main()
    except KeyboardInterrupt:
        raise SystemExit(130) from None
