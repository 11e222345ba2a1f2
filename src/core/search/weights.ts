/** TUNING */
export const W = {
  // fields
  name: 2,
  server: 0.6,
  title: 1,
  description: 1,
  first: 0.3,
  argNames: 0.2,
  argTexts: 0.5,
  values: 0.5,
  examples: 0.5,
  nameJoined: 1,
  bDesc: 0.75,
  pivotDesc: 20,
  bArgs: 0,
  pivotArgs: 30,
  k1: 0.6,
  // query
  synonym: 0.3,
  root: 0.2,
  joined: 0.8,
  groupMax: 0,
  synIdfCap: 0,
  // bonuses
  nameCoverage: 0.8,
  nameComplete: 0.3,
  queryCoverage: 0.6,
  serverMatch: 0.2,
  serverDoc: 0.5,
};
