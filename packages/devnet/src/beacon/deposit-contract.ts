/** The address on hoodi, whose code and storage are copied to the execution chain, and on mainnet. */
export const DEPOSIT_CONTRACT = '0x00000000219ab540356cbb839cbe05303d7705fa'
