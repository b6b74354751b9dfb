import { debianProgram } from './debian.js'
import { foldersOfPath, namedProgram, programIn } from './executable.js'

/** The path of a nats-server: `NATS_SERVER`, on PATH, or Debian's package. */
export async function natsServer(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const found = namedProgram('NATS_SERVER', env) ?? programIn([...foldersOfPath(env), '/usr/sbin', '/usr/local/sbin'], 'nats-server')
  return found ?? debianProgram({ package: 'nats-server', path: 'usr/sbin/nats-server' }, env).catch(askForIt)
}

function askForIt(): never {
  throw new Error(`There is no nats-server on this machine. Install one and start again:
  Debian, Ubuntu   sudo apt-get update && sudo apt-get install nats-server
  macOS            brew install nats-server
  Fedora           sudo dnf install nats-server
  Arch             sudo pacman -S nats-server
  others           https://github.com/nats-io/nats-server/releases, then NATS_SERVER=/path/to/nats-server
or set NATS_URL to a server that runs already (with JetStream).`)
}
