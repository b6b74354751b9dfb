import { Button, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Cluster } from '@trestle/contracts/nodes/clusters'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { Loaded } from '../parts/loaded.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { trestle } from '../platform/client.js'
import { clusters, nodes } from '../texts/nodes.js'
import { useServices } from './queries.js'
import { mebibytes } from './services.js'
import { Part } from './settings.js'
import { faultsOf, NOTHING_WISHED } from './wishes.js'

/** Another service, more or fewer nodes, another name: what only clusters can become. */
export function ClusterChange({ cluster }: { cluster: Cluster }) {
  return (
    <>
      <Part title={clusters.changeTitle} text={clusters.changeText}>
        <ServiceAndSize key={`${cluster.service}${cluster.capacity}`} cluster={cluster} />
      </Part>
      <Part title={clusters.alias} text={clusters.aliasText}>
        <Alias cluster={cluster} />
      </Part>
    </>
  )
}

function ServiceAndSize({ cluster }: { cluster: Cluster }) {
  const { id, chain, network, service, capacity, updatingService } = cluster
  const services = useServices('cluster')
  const client = useQueryClient()
  const navigate = useNavigate()
  const [chosen, setChosen] = useState(updatingService ?? service)
  const [size, setSize] = useState<number | string>(capacity)
  const isUsual = !faultsOf({ ...NOTHING_WISHED, capacity: Number(size) }).wrongCapacity
  const body = { ...(chosen !== service && { serviceId: chosen }), ...(Number(size) !== capacity && { capacity: Number(size) }) }
  const changing = useMutation({
    mutationFn: () => trestle.nodes.clusters.change({ params: { id }, body }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['nodes', 'cluster'] })
      // There one sees how it comes about.
      await navigate(`/app/clusters/${id}`)
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    changing.mutate()
  }
  return (
    <Loaded query={services} rows={1}>
      {(all) => (
        <form onSubmit={submit}>
          <Stack gap="sm" align="flex-start">
            <Group align="flex-start">
              <NativeSelect
                label={clusters.service}
                data={all
                  .filter((each) => each.chain === chain && each.network === network)
                  .map(({ id, metadata, missing, disabled }) => ({
                    value: id,
                    label: `${metadata.software}, ${nodes.sizes[metadata.performance].toLowerCase()} (${mebibytes(metadata.memoryMiB)})`,
                    disabled: id !== service && (missing !== null || disabled),
                  }))}
                value={chosen}
                onChange={(event) => setChosen(event.currentTarget.value)}
              />
              <NumberInput
                label={clusters.capacity}
                min={2}
                max={10}
                allowDecimal={false}
                value={size}
                onChange={setSize}
                error={!isUsual && nodes.wizard.capacityText}
                w={160}
              />
            </Group>
            {changing.error && <ProblemNotice error={changing.error} />}
            <Button type="submit" loading={changing.isPending} disabled={!isUsual || Object.keys(body).length === 0}>
              {clusters.apply}
            </Button>
          </Stack>
        </form>
      )}
    </Loaded>
  )
}

function Alias({ cluster: { id, alias } }: { cluster: Cluster }) {
  const client = useQueryClient()
  const [text, setText] = useState(alias ?? '')
  const { wrongAlias } = faultsOf({ ...NOTHING_WISHED, alias: text })
  const naming = useMutation({
    mutationFn: () => trestle.nodes.clusters.setAlias({ params: { id }, body: { alias: text || null } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['nodes', 'cluster'] })
      notifications.show({ message: nodes.settings.saved })
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    naming.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" align="flex-start">
        <TextInput
          aria-label={clusters.alias}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={wrongAlias && clusters.aliasText}
          w={{ base: '100%', xs: 320 }}
        />
        {naming.error && <ProblemNotice error={naming.error} />}
        <Button type="submit" loading={naming.isPending} disabled={wrongAlias || text === (alias ?? '')}>
          {nodes.settings.save}
        </Button>
      </Stack>
    </form>
  )
}
