export const projectAccessTexts = {
  namespaces: {
    legend: 'Further methods',
    hint: 'Methods beyond eth, net and web3 that administrators granted you. Anyone who can call this project can call them.',
    notGranted: 'not granted any more',
    about: {
      debug: 'Traces of transactions and calls, in geth’s form',
      trace: 'Traces of transactions, blocks and calls, in Parity’s form',
      txpool: 'Pending transactions of a node',
      erigon: 'What Erigon offers besides',
      ots: 'What the explorer Otterscan uses',
    } as Readonly<Record<string, string>>,
  },
  provider: {
    legend: 'Tokens of your app',
    hint: 'Let users of your app call with the tokens of its identity provider, signed with RS256, ES256 or EdDSA. Your own tokens work as before. Leave all three empty for none.',
    needsToken: 'Require a token to let users of your app call with the tokens of its identity provider.',
    jwksUrl: {
      label: 'URL of the key set (JWKS)',
      hint: 'Where the provider publishes its public keys.',
      example: 'https://id.example/.well-known/jwks.json',
    },
    issuer: { label: 'Issuer', hint: 'The claim iss of its tokens, character by character.', example: 'https://id.example/' },
    audience: { label: 'Audience', hint: 'The claim aud of tokens for your app.', example: 'my-app' },
    perCaller: 'Calls per second of one user',
    perCallerHint: 'For each subject (sub) of these tokens.',
  },
}
