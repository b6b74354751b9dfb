import { CHAINS } from '@trestle/contracts/chains/chains'

/** Texts about the chains that the data areas serve. */
export const chainsTexts = {
  choose: 'Chain',
  names: Object.fromEntries(CHAINS.map(({ name, title }) => [name, title])) as Readonly<Record<string, string>>,
  absent: {
    text: 'This platform does not serve this chain. Choose another one, or ask your administrator to add it.',
    others: 'Available chains',
  },
  none: {
    title: 'No chains available',
    text: 'Ask your administrator to add one.',
  },
}
