// Ends the processes of servers, also if this process is killed.

import { type ChildProcess, spawn } from 'node:child_process';

const isWindows = process.platform === 'win32';

/**
 * The shell script that ends the process groups on its list when its input closes, for whatever reason. It waits first,
 * since servers should notice by themselves that their own input has closed.
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
 * Makes sure that servers end together with this process, even if it is killed. On Windows, the system ends all
 * children of Node. On other systems, a small shell process watches while there are servers.
 */
export class ProcessGuard {
  #shell: ChildProcess | undefined;
  readonly #watched = new Set<number>();

  /** Starts the watching shell before the first server starts. Does nothing on Windows. */
  open(): void {
    if (!isWindows) this.#shell ??= this.#start();
  }

  /** @param pid the leader of a process group */
  watch(pid: number): void {
    this.open();
    this.#watched.add(pid);
    this.#shell?.stdin?.write(`+ ${pid}\n`);
  }

  /** Called when a process group has ended; `pid` is undefined if none was started. */
  release(pid: number | undefined): void {
    if (pid !== undefined && this.#watched.delete(pid)) this.#shell?.stdin?.write(`- ${pid}\n`);
    if (this.#watched.size > 0) return;
    this.#shell?.stdin?.end();
    this.#shell = undefined;
  }

  #start(): ChildProcess {
    // The shell has its own process group, so that it outlives this process's group.
    const shell = spawn('/bin/sh', ['-c', GUARD, 'tool-search-guard'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    // Without the shell, servers end when their input closes.
    shell.on('error', () => {});
    shell.stdin?.on('error', () => {});
    shell.unref();
    return shell;
  }
}

/** Ends a process and all processes that it started. */
export function endProcesses(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (!isWindows) process.kill(-pid, signal);
    else {
      const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
      killer.on('error', () => {});
    }
  } catch {
    // The process has already ended.
  }
}
