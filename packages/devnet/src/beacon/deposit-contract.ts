/** hoodi's, whose code and storage are put on the execution chain; mainnet has the same one. */
export const DEPOSIT_CONTRACT = '0x00000000219ab540356cbb839cbe05303d7705fa'
