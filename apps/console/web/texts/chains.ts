/** Words about the chains that the data areas serve. */
export const chains = {
  choose: 'Chain',
  names: {
    btc: 'Bitcoin',
    bch: 'Bitcoin Cash',
    ltc: 'Litecoin',
    eth: 'Ethereum',
    etc: 'Ethereum Classic',
  } as Readonly<Record<string, string>>,
  absent: {
    text: 'This platform does not serve this chain. Whoever runs it can add it; choose another one until then.',
    others: 'Chains that are served',
  },
  none: {
    title: 'No chain is served here',
    text: 'Whoever runs this platform can add one; the guide of this area says how.',
  },
}
