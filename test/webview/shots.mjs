const OPEN = { openTools: ['forge/list_pipeline_job'], filter: '@forge pipeline' };
/**
 * The pictures of the inspector. `state` is the name of a fixture, `nav` the open section, `click` is pressed then
 * (with `clickWhere` 'wide', only if there are columns), `full` makes the picture show all of it, `themes` limits the
 * themes, which are all by default.
 */
export const SHOTS = [
  { name: 'turns', nav: { section: 'turns' } },
  { name: 'turns-more', nav: { section: 'turns', turn: 1 } },
  { name: 'turns-all', nav: { section: 'turns' }, click: '.picker-line .link, .sugs > .link' },
  { name: 'dollars', state: 'cache', nav: { section: 'turns' }, full: true },
  { name: 'failed', state: 'failed', nav: { section: 'turns' }, full: true },
  { name: 'no-model', state: 'nomodel', nav: { section: 'turns' }, themes: ['dark', 'hc-light'] },
  { name: 'scripts', state: 'scripts', nav: { section: 'turns' }, click: '.script-toggle >> nth=0', full: true },
  { name: 'script-failed', state: 'scripts', nav: { section: 'turns' }, click: '.script-toggle >> nth=1', full: true },
  { name: 'script-long', state: 'scripts', nav: { section: 'turns' }, click: '.script-toggle >> nth=2', full: true },
  { name: 'tools', nav: { section: 'tools' } },
  { name: 'tools-expanded', nav: { section: 'tools', ...OPEN } },
  {
    name: 'tools-flat',
    nav: { section: 'tools', grouped: false, sort: { key: 'tokens', descending: true } },
    themes: ['dark'],
  },
  {
    name: 'playground',
    nav: { section: 'playground', play: { mode: 'query', query: 'list issue' } },
    click: '[data-hit="0 1"]',
    clickWhere: 'wide',
    full: true,
  },
  {
    name: 'playground-use',
    nav: { section: 'playground', play: { mode: 'query', query: 'list jobs pod' } },
    click: '[data-hit="0 0"]',
    clickWhere: 'wide',
    full: true,
  },
  {
    name: 'playground-cut',
    nav: { section: 'playground', play: { mode: 'query', query: 'restart pod decision milestone vendor list' } },
    click: '[data-hit="0 6"]',
    clickWhere: 'wide',
    full: true,
  },
  {
    name: 'playground-tool',
    nav: {
      section: 'playground',
      play: { mode: 'tool', query: 'what broke last night', tool: 'forge/list_pipeline_job' },
    },
  },
  { name: 'playground-intro', nav: { section: 'playground' }, themes: ['dark', 'light'] },
  {
    name: 'playground-picker',
    nav: { section: 'playground', play: { mode: 'tool' } },
    click: '[role=combobox]',
    themes: ['dark', 'hc-light'],
  },
  ...['empty', 'noturns', 'loading', 'diagnosed', 'untrusted'].map((state) => ({
    name: `state-${state}`,
    state,
    nav: { section: 'turns' },
  })),
  ...[
    { name: 'turns', turn: 1 },
    {
      name: 'tools',
      filter: 'name_of',
      openTools: [
        '<img src=x onerror=alert(1)>/name_of_a_tool_that_somebody_has_generated_from_a_path_of_an_interface_and_never_read_themselves',
      ],
    },
    { name: 'tools-all', section: 'tools' },
    { name: 'playground', play: { mode: 'query', query: 'list what there is' } },
  ].map(({ name, ...nav }) => ({
    name: `hostile-${name}`,
    state: 'hostile',
    nav: { section: name, ...nav },
    themes: ['dark', 'hc-light'],
  })),
  { name: 'state-loading-tools', state: 'loading', nav: { section: 'tools' } },
  { name: 'state-error', state: 'error', nav: { section: 'tools' } },
];
