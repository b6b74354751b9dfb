/** Texts about the chains that the data areas serve. */
export const chainsTexts = {
  choose: 'Chain',
  absent: {
    text: 'This platform does not serve this chain. Choose another one, or ask your administrator to add it.',
    others: 'Available chains',
  },
  none: {
    title: 'No chains available',
    text: 'Ask your administrator to add one.',
  },
}
