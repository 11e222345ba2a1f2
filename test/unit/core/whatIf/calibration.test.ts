import { expect, it } from 'vitest';
import { Calibration } from '../../../../src/core/whatIf/calibration';

const LOCAL = { delivery: 'local' } as const;

/** What requests with a fixed price for each part would teach. */
function learned(delivery: 'local' | 'server' | 'client', price: { offer: number; asked: number; made: number }) {
  const calibration = new Calibration(() => ({ definitions: 4, wire: 4 }));
  for (let asked = 0; asked < 5; asked++)
    for (let made = 0; made < 5; made++)
      calibration.note({ delivery }, { asked, made, missing: price.offer + price.asked * asked + price.made * made });
  calibration.learn();
  return calibration;
}

it('finds what an offer and each search add to a request', () => {
  const price = { offer: 150, asked: 30, made: -12 };
  const figures = learned('server', price).of({ delivery: 'server' });
  for (const part of ['offer', 'asked', 'made'] as const)
    expect(Math.abs(figures[part] - price[part]), part).toBeLessThan(1);
});

it('ignores a request whose tokens something else explains', () => {
  const calibration = learned('local', { offer: 0, asked: 10, made: 10 });
  const before = calibration.of(LOCAL);
  calibration.note(LOCAL, { asked: 0, made: 0, missing: 301 });
  calibration.note(LOCAL, { asked: 1, made: 1, missing: -901 });
  calibration.learn();
  expect(calibration.of(LOCAL)).toEqual(before);
  calibration.note(LOCAL, { asked: 0, made: 0, missing: 300 });
  calibration.learn();
  expect(calibration.of(LOCAL).offer).toBeGreaterThan(before.offer + 5);
});

it('takes a like form’s search figures, but never the provider’s own', () => {
  const local = learned('local', { offer: 100, asked: 40, made: 90 });
  const { asked } = local.of(LOCAL);
  expect(local.of({ delivery: 'bridge' })).toEqual(local.of(LOCAL));
  expect(local.of({ delivery: 'client' })).toEqual({ offer: 0, asked, made: asked });
  expect(local.of({ delivery: 'server' })).toEqual({ offer: 0, asked: 20, made: 20 });
  expect([local.knows(LOCAL), local.knows({ delivery: 'client' })]).toEqual([true, false]);
  const client = learned('client', { offer: 0, asked: 60, made: 60 });
  expect(client.of(LOCAL).asked).toBe(client.of({ delivery: 'client' }).asked);
});
