import { createHash } from 'node:crypto'
import type { Blueprint } from '../../catalogue/blueprint.js'
import type { ProgramSetup } from '../../software/program-setup.js'
import { argsOf, commandOf, configOf, graceSecondsOf } from '../../software/software.js'
import type { DesiredMachine } from '../driver.js'

// What cloud-init does at the first start of an instance. The image has to bring the program on its PATH, a user `trestle`, and for eth a unit
// `trestle-consensus.service` with a consensus client. It contains no secret, for whoever may describe instances can read it: of the password a
// salted hash (which has 128 random bits), and the engine's secret is generated on the instance.

/** The device that the volume is attached as; the kernel names it differently. */
export const DEVICE = '/dev/sdf'
const DATA = '/var/lib/trestle'
const CONFIG = '/etc/trestle/node.conf'
const ENGINE_SECRET = '/etc/trestle/engine.jwt'
// The volume is attached once the instance runs, and is its only disk but the first. Existing data is kept.
const MOUNT_DISK = `#!/bin/sh
set -eu
first=/dev/$(lsblk --noheadings --output PKNAME "$(findmnt --noheadings --output SOURCE /)")
disk=
until [ -n "$disk" ]; do
  disk=$(lsblk --nodeps --noheadings --paths --output NAME,TYPE | awk -v first="$first" '$2 == "disk" && $1 != first { print $1; exit }')
  [ -n "$disk" ] || sleep 2
done
blkid "$disk" > /dev/null || mkfs.ext4 -q -m 0 "$disk"
mountpoint -q ${DATA} || mount "$disk" ${DATA}
resize2fs "$disk"
chown trestle: ${DATA}
`

export function userDataOf(machine: DesiredMachine): string {
  const { blueprint, password } = machine
  const config = configOf(blueprint, placeOf(blueprint), password)
  const files = [
    { path: '/usr/local/sbin/trestle-disk', permissions: '0755', content: MOUNT_DISK },
    { path: '/etc/systemd/system/trestle-node.service', permissions: '0644', content: unitOf(blueprint) },
    ...(config === undefined ? [] : [{ path: CONFIG, permissions: '0640', content: config }]),
  ]
  const commands = [
    ['mkdir', '-p', DATA, '/etc/trestle'],
    ...(hasEngine(blueprint) ? [['sh', '-c', `umask 027; openssl rand -hex 32 > ${ENGINE_SECRET}`]] : []),
    ['chown', '-R', 'root:trestle', '/etc/trestle'],
    ...(hasEngine(blueprint) ? [['systemctl', 'enable', '--now', '--no-block', 'trestle-consensus.service']] : []),
    ['systemctl', 'enable', '--now', '--no-block', 'trestle-node.service'],
  ]
  // JSON is YAML, and is quoted correctly.
  return `#cloud-config\n${JSON.stringify({ write_files: files, runcmd: commands })}\n`
}

/** Of everything an instance is made with but its image: a newer image does not replace it. */
export function specFingerprintOf(machine: DesiredMachine): string {
  const { instanceType, serviceId } = machine.blueprint
  return createHash('sha256')
    .update(JSON.stringify([userDataOf(machine), instanceType, serviceId]))
    .digest('hex')
}

function unitOf(blueprint: Blueprint): string {
  const command = [`/usr/bin/env`, commandOf(blueprint), ...argsOf(blueprint, placeOf(blueprint))].map(quoted).join(' ')
  return `[Unit]
Description=A node of ${blueprint.chain}
After=network-online.target
Wants=network-online.target

[Service]
User=trestle
ExecStartPre=+/usr/local/sbin/trestle-disk
ExecStart=${command}
Restart=always
RestartSec=10
TimeoutStartSec=infinity
TimeoutStopSec=${graceSecondsOf(blueprint)}
StandardOutput=journal+console
NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${DATA}
PrivateTmp=yes

[Install]
WantedBy=multi-user.target
`
}

/** Quoted for systemd, which expands `%` and `$`. */
function quoted(word: string): string {
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`
}

function hasEngine({ chain }: Blueprint): boolean {
  return chain === 'eth'
}

function placeOf(blueprint: Blueprint): ProgramSetup {
  const [rpcPort = 0] = blueprint.ports
  return {
    dataDir: DATA,
    configFile: CONFIG,
    host: '0.0.0.0',
    rpcPort,
    p2pPort: blueprint.chain === 'eth' || blueprint.chain === 'etc' ? 30303 : rpcPort + 1,
    ...(hasEngine(blueprint) && { engineSecretFile: ENGINE_SECRET }),
  }
}
