// moto, which plays Amazon's EC2, from Debian's packages: with its own Python, so that the machine's does not matter.
import { join } from 'node:path'
import { cached, loaderOf, unpackPackages } from '../debian.mjs'

const SUITE = 'trixie'
// The server's parts are only recommended by the package.
const PACKAGES = ['python3-moto', 'python3-flask', 'python3-flask-cors', 'python3-werkzeug', 'libc6']

/** The command that starts the server, and what it needs in its environment. */
export async function motoProgram() {
  const folder = await cached(`moto-${SUITE}`, (unpacked) => unpackPackages(unpacked, { suite: SUITE, packages: PACKAGES, closure: true }))
  const python = [...loaderOf(folder), join(folder, 'usr/bin/python3')]
  return {
    command: [...python, '-c', 'from moto.server import main; main()'],
    env: { PYTHONHOME: join(folder, 'usr'), PYTHONDONTWRITEBYTECODE: '1', PATH: process.env.PATH },
  }
}
