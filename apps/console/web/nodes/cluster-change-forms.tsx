import { Button, Group, NativeSelect, NumberInput, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Cluster } from '@trestle/contracts/nodes/clusters'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { Loaded } from '../parts/loaded.js'
import { ProblemNotice } from '../parts/problem-notice.js'
import { trestle } from '../platform/client.js'
import { clustersTexts, nodesTexts } from '../texts/nodes.js'
import { mebibytes } from './services.js'
import { useServices } from './use-nodes.js'
import { EMPTY_FORM, workloadMistakes } from './workload-form.js'
import { SettingsCard } from './workload-settings.js'

/** Another service, more or fewer nodes, another name: what only clusters can become. */
export function ClusterChangeForms({ cluster }: { cluster: Cluster }) {
  return (
    <>
      <SettingsCard title={clustersTexts.changeTitle} text={clustersTexts.changeText}>
        <ServiceAndSize key={`${cluster.service}${cluster.capacity}`} cluster={cluster} />
      </SettingsCard>
      <SettingsCard title={clustersTexts.alias} text={clustersTexts.aliasText}>
        <Alias cluster={cluster} />
      </SettingsCard>
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
  const isUsual = !workloadMistakes({ ...EMPTY_FORM, capacity: Number(size) }).wrongCapacity
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
                label={clustersTexts.service}
                data={all
                  .filter((each) => each.chain === chain && each.network === network)
                  .map(({ id, metadata, missing, disabled }) => ({
                    value: id,
                    label: `${metadata.software}, ${nodesTexts.sizes[metadata.performance].toLowerCase()} (${mebibytes(metadata.memoryMiB)})`,
                    disabled: id !== service && (missing !== null || disabled),
                  }))}
                value={chosen}
                onChange={(event) => setChosen(event.currentTarget.value)}
              />
              <NumberInput
                label={clustersTexts.capacity}
                min={2}
                max={10}
                allowDecimal={false}
                value={size}
                onChange={setSize}
                error={!isUsual && nodesTexts.wizard.capacityText}
                w={160}
              />
            </Group>
            {changing.error && <ProblemNotice error={changing.error} />}
            <Button type="submit" loading={changing.isPending} disabled={!isUsual || Object.keys(body).length === 0}>
              {clustersTexts.apply}
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
  const { wrongAlias } = workloadMistakes({ ...EMPTY_FORM, alias: text })
  const naming = useMutation({
    mutationFn: () => trestle.nodes.clusters.setAlias({ params: { id }, body: { alias: text || null } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['nodes', 'cluster'] })
      notifications.show({ message: nodesTexts.settings.saved })
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
          aria-label={clustersTexts.alias}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={wrongAlias && clustersTexts.aliasText}
          w={{ base: '100%', xs: 320 }}
        />
        {naming.error && <ProblemNotice error={naming.error} />}
        <Button type="submit" loading={naming.isPending} disabled={wrongAlias || text === (alias ?? '')}>
          {nodesTexts.settings.save}
        </Button>
      </Stack>
    </form>
  )
}
