import { type ChildProcess, spawn } from 'node:child_process';

const isWindows = process.platform === 'win32';

/**
 * Once its input ends, because this process has closed it or died in whatever way, it ends the process groups that are
 * still on its list: first it leaves them the time to notice that their own input has ended.
 */
const GUARD = `
pids=
while read -r sign pid; do
  case $sign in
    +) pids="$pids $pid" ;;
    -) rest=; for each in $pids; do [ "$each" = "$pid" ] || rest="$rest $each"; done; pids=$rest ;;
  esac
done
[ -z "$pids" ] && exit
sleep 1
for each in $pids; do kill -s TERM -- "-$each"; done
sleep 1
for each in $pids; do kill -s KILL -- "-$each"; done
`;

/**
 * Sees to it that servers end with this process, even one that is killed: on Windows the system does that for every
 * child that Node starts; elsewhere a small shell watches, as long as there are servers.
 */
export class ProcessGuard {
  #shell: ChildProcess | undefined;
  readonly #watched = new Set<number>();

  /** Gets ready to watch, before the first server starts: that takes a process of its own. */
  open(): void {
    if (!isWindows) this.#shell ??= this.#start();
  }

  /** @param pid leader of a process group */
  watch(pid: number): void {
    this.open();
    this.#watched.add(pid);
    this.#shell?.stdin?.write(`+ ${pid}\n`);
  }

  /** The process group has ended; undefined if none was started. */
  release(pid: number | undefined): void {
    if (pid !== undefined && this.#watched.delete(pid)) this.#shell?.stdin?.write(`- ${pid}\n`);
    if (this.#watched.size > 0) return;
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  #start(): ChildProcess {
    // In a group of its own: it must outlive the end of this process's group.
    const shell = spawn('/bin/sh', ['-c', GUARD, 'tool-search-guard'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    // Without a shell, servers end with their input.
    shell.on('error', () => {});
    shell.stdin?.on('error', () => {});
    shell.unref();
    return shell;
  }
}

/** Ends a process and all that it started. */
export function endProcesses(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (isWindows)
      spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on(
        'error',
        () => {},
      );
    else process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}
