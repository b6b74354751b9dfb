import { readFileSync } from 'node:fs'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { servedChains } from '@trestle/contracts/chains/configuration'
import { messageOf } from '@trestle/problem/thrown'
import { z } from 'zod'
import { parseEnv } from './env.js'

/** Which chains the platform serves; the same for every process of it. */
export const chainsEnv = {
  /** Names with commas between, each perhaps with a network: `btc:regtest,eth,base`. */
  TRESTLE_CHAINS: z.string().optional(),
  /** A `chains.yaml`, for chains that have no record too. */
  TRESTLE_CHAINS_FILE: z
    .string()
    .transform((path, context) => {
      try {
        return readFileSync(path, 'utf8')
      } catch (error) {
        context.addIssue(`cannot be read: ${messageOf(error)}`)
        return z.NEVER
      }
    })
    .optional(),
}

type ChainsEnv = z.output<z.ZodObject<typeof chainsEnv>>

const schema = z.object(chainsEnv).superRefine((env, context) => {
  try {
    chainsOf(env)
  } catch (error) {
    const name = env.TRESTLE_CHAINS ? 'TRESTLE_CHAINS' : 'TRESTLE_CHAINS_FILE'
    context.addIssue({ code: 'custom', path: [name], message: messageOf(error) })
  }
})

/** The chains that the environment lists. */
export function readChains(source?: NodeJS.ProcessEnv): readonly ServedChain[] {
  return chainsOf(parseEnv(schema, source))
}

function chainsOf({ TRESTLE_CHAINS: names, TRESTLE_CHAINS_FILE: file }: ChainsEnv): readonly ServedChain[] {
  return servedChains({ names, file })
}
