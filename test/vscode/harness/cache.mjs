import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { cacheFolder } from './paths.mjs';
import { isAlive } from './processes.mjs';
import { say } from './say.mjs';

const BEAT_MS = 2_000;
/** A lock that its owner hasn't touched for this long is abandoned. */
const STALE_MS = 30_000;
const POLL_MS = 250;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Makes the cache entry `name` once and returns its folder. `build(folder, target)` fills `folder`, which is then
 * renamed to `target`, so an entry that exists is complete. Other runs that want the entry wait for the first.
 */
export async function cached(name, build) {
  const target = path.join(cacheFolder(), name);
  if (existsSync(target)) return target;
  await mkdir(cacheFolder(), { recursive: true });
  await withLock(`${target}.lock`, async () => {
    if (existsSync(target)) return;
    for (const left of await readdir(cacheFolder())) {
      if (left.startsWith(`${name}.tmp-`)) await rm(path.join(cacheFolder(), left), { recursive: true, force: true });
    }
    const temporary = `${target}.tmp-${process.pid}`;
    await mkdir(temporary);
    try {
      await build(temporary, target);
      await rename(temporary, target);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  });
  return target;
}

/** Does `work` while holding the lock folder `lock`. Waits for other holders, and takes over abandoned locks. */
async function withLock(lock, work) {
  let waiting = false;
  while (!(await take(lock))) {
    if (await isStale(lock)) {
      await breakLock(lock);
      continue;
    }
    if (!waiting) say(`  waiting for another run that holds ${lock}`);
    waiting = true;
    await pause(POLL_MS);
  }
  const beat = setInterval(() => utimes(lock, new Date(), new Date()).catch(() => {}), BEAT_MS);
  beat.unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(lock, { recursive: true, force: true });
  }
}

async function take(lock) {
  try {
    await mkdir(lock);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  await writeFile(path.join(lock, 'owner.json'), JSON.stringify({ pid: process.pid, host: os.hostname() }));
  return true;
}

async function isStale(lock) {
  try {
    const age = Date.now() - (await stat(lock)).mtimeMs;
    if (age > STALE_MS) return true;
    if (age < BEAT_MS) return false;
    const owner = JSON.parse(await readFile(path.join(lock, 'owner.json'), 'utf8'));
    return owner.host === os.hostname() && !isAlive(owner.pid);
  } catch {
    return false;
  }
}

/** Removes a stale lock. Only one run may do so, and it first checks again that the lock is still stale. */
async function breakLock(lock) {
  const breaking = `${lock}.breaking`;
  try {
    await mkdir(breaking);
  } catch {
    const age = await stat(breaking).then(
      (found) => Date.now() - found.mtimeMs,
      () => 0,
    );
    if (age > STALE_MS) await rm(breaking, { recursive: true, force: true });
    await pause(POLL_MS);
    return;
  }
  try {
    if (await isStale(lock)) await rm(lock, { recursive: true, force: true });
  } finally {
    await rm(breaking, { recursive: true, force: true });
  }
}
