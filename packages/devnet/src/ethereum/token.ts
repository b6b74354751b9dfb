import { assemble } from './assembler.js'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
// Of Error(string), as a whole word.
const ERROR = `0x08c379a0${'0'.repeat(56)}`
const SUPPLY = 1_000_000n * 10n ** 18n
// A word with a text in its first bytes.
const text = (words: string) => `0x${Buffer.from(words).toString('hex').padEnd(64, '0')}`

/** What one expects of an ERC-20 token but allowances. The balance of an address is in the slot that has its number. */
const PROGRAM = assemble(`
  0x00 CALLDATALOAD 0xe0 SHR
  DUP1 0x70a08231 EQ @balanceOf JUMPI
  DUP1 0xa9059cbb EQ @transfer JUMPI
  DUP1 0x18160ddd EQ @totalSupply JUMPI
  DUP1 0x313ce567 EQ @decimals JUMPI
  DUP1 0x95d89b41 EQ @symbol JUMPI
  DUP1 0x06fdde03 EQ @name JUMPI
  0x00 DUP1 REVERT

  balanceOf:
    0x04 CALLDATALOAD SLOAD @answer JUMP
  totalSupply:
    ${word(SUPPLY)} @answer JUMP
  decimals:
    0x12 @answer JUMP
  answer:
    0x00 MSTORE 0x20 0x00 RETURN

  symbol:
    ${text('DEMO')} 0x04 @answerText JUMP
  name:
    ${text('Demo Token')} 0x0a @answerText JUMP
  answerText:                                       ; text, length
    0x20 MSTORE 0x40 MSTORE 0x20 0x00 MSTORE
    0x60 0x00 RETURN

  transfer:
    0x24 CALLDATALOAD CALLER SLOAD                  ; amount, balance
    DUP2 DUP2 LT @refuse JUMPI
    DUP2 SWAP1 SUB CALLER SSTORE                    ; amount
    0x04 CALLDATALOAD                               ; amount, to
    DUP1 SLOAD DUP3 ADD DUP2 SSTORE
    SWAP1 0x00 MSTORE                               ; to
    CALLER ${TRANSFER} 0x20 0x00 LOG3
    0x01 @answer JUMP

  refuse:                                           ; Error(string)
    ${ERROR} 0x00 MSTORE
    0x20 0x04 MSTORE 0x14 0x24 MSTORE
    ${text('insufficient balance')} 0x44 MSTORE
    0x64 0x00 REVERT
`)

/** Gives all of it to whoever sends it. */
const creation = (length: number) => `
  ${word(SUPPLY)} CALLER SSTORE
  ${word(SUPPLY)} 0x00 MSTORE
  CALLER 0x00 ${TRANSFER} 0x20 0x00 LOG3
  ${short(PROGRAM.length)} ${short(length)} 0x00 CODECOPY
  ${short(PROGRAM.length)} 0x00 RETURN
`

// The program follows what is carried out once, whose own length does not hang on the number it has in it.
const CREATION = assemble(creation(assemble(creation(0)).length))

/** What is sent to nobody, to put the token on a chain. */
export const TOKEN_CREATION = `0x${Buffer.concat([CREATION, PROGRAM]).toString('hex')}`

/** What is sent to the token. */
export function transferOf(to: string, amount: bigint): string {
  return `0xa9059cbb${to.slice(2).padStart(64, '0')}${word(amount).slice(2)}`
}

function word(number: bigint): string {
  return `0x${number.toString(16).padStart(64, '0')}`
}

function short(number: number): string {
  return `0x${number.toString(16).padStart(4, '0')}`
}
