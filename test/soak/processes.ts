import { execFileSync } from 'node:child_process';

export interface Running {
  readonly pid: number;
  readonly args: string;
}

/** Processes that have this text among their arguments and are still running after `ms`. Always none on Windows. */
export async function processesWith(text: string, ms: number): Promise<readonly Running[]> {
  for (const deadline = Date.now() + ms; ; ) {
    const running = list().filter(({ args }) => args.includes(text));
    if (running.length === 0 || Date.now() >= deadline) return running;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export function endProcesses(processes: readonly Running[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended meanwhile.
    }
  }
}

function list(): readonly Running[] {
  if (process.platform === 'win32') return [];
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, args = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), args }];
  });
}
