import { formatHex } from '@trestle/ethereum/hex'
import type { EthereumNetwork } from '@trestle/ethereum/network'
import type { VoluntaryExit } from '@trestle/ethereum/ssz'
import type { SignedVoluntaryExit } from '@trestle/ethereum/voluntary-exit'
import { z } from 'zod'
import { UpstreamUnavailable } from '../chains/upstream-errors.js'
import { Bytes, readAnswer } from '../chains/upstream-json.js'
import { keyPath } from './keymanager-responses.js'
import { KeystoresClient } from './keystores.client.js'
import type { SignerClient } from './signer.js'

const Signature = z.object({ signature: Bytes(96) })

/** A web3signer, which signs for a validator client in front of it. That client has the fee recipients. */
export class Web3signerClient extends KeystoresClient implements SignerClient {
  readonly keepsFeeRecipients = false

  feeRecipient(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  setFeeRecipient(): Promise<void> {
    return Promise.reject(new UpstreamUnavailable(`${this.name} has no fee addresses: set it in the validator client in front of it.`))
  }

  async signExit(pubkey: Buffer, exit: VoluntaryExit, network: EthereumNetwork): Promise<SignedVoluntaryExit> {
    // EIP-7044: Capella, whatever the fork is now.
    const version = formatHex(network.capellaForkVersion)
    const body = {
      type: 'VOLUNTARY_EXIT',
      fork_info: {
        fork: { previous_version: version, current_version: version, epoch: '0' },
        genesis_validators_root: formatHex(network.genesisValidatorsRoot),
      },
      voluntary_exit: { epoch: String(exit.epoch), validator_index: String(exit.validatorIndex) },
    }
    const answer = await this.ask({ method: 'POST', path: `/api/v1/eth2/sign/${keyPath(pubkey)}`, body })
    // 412: its slashing protection refuses, which is wrong for an exit.
    if (answer.status === 412) throw new UpstreamUnavailable(`${this.name} refuses to sign the exit.`)
    return { message: exit, signature: readAnswer(Signature, answer, this.name).signature }
  }
}
