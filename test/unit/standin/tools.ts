/** A small catalog with arguments that the stand-in's model can read from a prompt. */
export const SUM = {
  name: 'everything_get-sum',
  description: 'Returns the sum of two numbers',
  schema: {
    type: 'object' as const,
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  },
};
export const ECHO = {
  name: 'everything_echo',
  description: 'Echoes back the input',
  schema: {
    type: 'object' as const,
    properties: { message: { type: 'string', description: 'What to repeat' } },
    required: ['message'],
  },
};
export const TIME = {
  name: 'clock_now',
  description: 'Tells the current time in a city',
  schema: {
    type: 'object' as const,
    properties: { city: { type: 'string', description: 'A place such as Zürich' } },
    required: ['city'],
  },
};
export const ALL = [SUM, ECHO, TIME];
