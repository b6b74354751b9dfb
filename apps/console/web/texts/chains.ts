import { CHAINS } from '@trestle/contracts/chains/chains'

/** Words about the chains that the data areas serve. */
export const chains = {
  choose: 'Chain',
  names: Object.fromEntries(CHAINS.map(({ name, title }) => [name, title])) as Readonly<Record<string, string>>,
  absent: {
    text: 'This platform does not serve this chain. Whoever runs it can add it; choose another one until then.',
    others: 'Chains that are served',
  },
  none: {
    title: 'No chain is served here',
    text: 'Whoever runs this platform can add one; the guide of this area says how.',
  },
}
