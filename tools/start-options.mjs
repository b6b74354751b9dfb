import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

export const HELP = `npm start [-- options]

Starts Trestle on this machine: Postgres, NATS, every service and the ingress, with a demo user. Ctrl-C stops it all.
The data stays: the next start goes on where this one was.

  --port <port>      where the ingress listens (8080)
  --only <services>  only these, with commas between: --only accounts,eth-rpc (accounts always runs)
  --chains <names>   these chains, with commas between, each on a network of its own: --chains base,doge (docs/chains.md).
                     An EVM chain runs on anvil with the chain's id; one of the Bitcoin family where its node is to be had
  --reset            forget all data first
  --data <folder>    keep the data in another folder (.data)
  --help             this text

Environment
  ACCOUNTS_PORT, STAKING_PORT ...  where a service listens itself (4000, 4001 ...); its internal port is 1000 higher
  DATABASE_URL                     use this Postgres; the URL of a superuser, or of a role that may create roles and owns the database
  NATS_URL                         use this NATS server; with JetStream
  NATS_SERVER                      the nats-server program, where it is not on PATH
  TRESTLE_CHAINS                   as --chains; TRESTLE_CHAINS_FILE is a chains.yaml, for EVM chains that Trestle does not know (docs/operations.md)
  BITCOIND, LITECOIND, ANVIL ...   the programs of nodes, where they are not on PATH; also BITCOIN_CASH_NODE, DOGECOIND, DASHD
  NODE_PORTS                       the ports that nodes made at /nodes are called at themselves (21000-21999)
  LOG_LEVEL                        fatal, error, warn, info, debug or trace

Addresses and passwords of a running Trestle are in .data/devnet.json, logs in .data/logs.
  npm start -- --port 9000                        the ingress on http://127.0.0.1:9000
  npm start -- --chains btc,eth,base              Bitcoin, Ethereum and Base
  ACCOUNTS_PORT=4100 npm start                    when something else listens on 4000
  DATABASE_URL=postgresql://postgres:...@127.0.0.1/postgres npm start
`

/** The options in the arguments of `npm start`. */
export function parseOptions(args, env = process.env) {
  const { values } = parse(args)
  return {
    help: values.help,
    dataDir: values.data,
    reset: values.reset,
    only: values.only?.split(',').map((name) => name.trim()),
    chains: { names: values.chains ?? (env.TRESTLE_CHAINS || undefined), file: fileOf(env.TRESTLE_CHAINS_FILE) },
    port: values.port === undefined ? undefined : portOf(values.port),
  }
}

function parse(args) {
  const options = {
    port: { type: 'string' },
    only: { type: 'string' },
    chains: { type: 'string' },
    reset: { type: 'boolean', default: false },
    data: { type: 'string', default: '.data' },
    help: { type: 'boolean', short: 'h', default: false },
  }
  try {
    return parseArgs({ args, options })
  } catch (error) {
    throw new Error(`${error.message.split('. ')[0]}. For the options: npm start -- --help`)
  }
}

function fileOf(path) {
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`TRESTLE_CHAINS_FILE cannot be read: ${error.message}`)
  }
}

function portOf(text) {
  const port = Number(text)
  // The internal port is 1000 higher.
  if (/^\d+$/.test(text) && port >= 1 && port <= 64_535) return port
  throw new Error(`--port ${text}: a port is a number from 1 to 64535.`)
}
