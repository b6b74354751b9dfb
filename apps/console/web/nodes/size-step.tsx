import { NativeSelect, NumberInput, Radio, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { CatalogueService } from '@trestle/contracts/nodes/catalogue'
import type { ClusterAuthType } from '@trestle/contracts/nodes/shapes'
import { nodesTexts } from '../texts/nodes.js'
import { ChoiceCard } from './choice-card.js'
import { mebibytes } from './services.js'
import { isTtl, ttlChoices } from './ttl.js'
import { isOpenToAll, type StepProps, workloadMistakes } from './workload-form.js'

const texts = nodesTexts.wizard

export function SizeStep(given: StepProps) {
  const { kind, offers, form, dispatch } = given
  const services = offers.find(({ id }) => id === form.offer)?.services ?? []
  const auths: ClusterAuthType[] = kind === 'node' ? ['basic', 'jwt'] : ['basic', 'jwt', 'none']
  return (
    <Stack gap="xl">
      <Radio.Group
        label={texts.chooseSize}
        value={form.serviceId}
        onChange={(serviceId) => dispatch({ type: 'changed', field: 'serviceId', value: serviceId })}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} mt="xs">
          {services.map((service) => (
            <SizeCard key={service.id} {...service} />
          ))}
        </SimpleGrid>
      </Radio.Group>
      <Radio.Group label={texts.auth} value={form.authType} onChange={(value) => dispatch({ type: 'changed', field: 'authType', value })}>
        <SimpleGrid cols={{ base: 1, xs: auths.length }} mt="xs">
          {auths.map((auth) => (
            <ChoiceCard key={auth} value={auth} title={texts.auths[auth].label}>
              <Text size="sm" c="dimmed">
                {texts.auths[auth].text}
              </Text>
            </ChoiceCard>
          ))}
        </SimpleGrid>
      </Radio.Group>
      {kind === 'cluster' && <ClusterFields {...given} />}
      <OptionalFields {...given} />
    </Stack>
  )
}

function SizeCard({ id, metadata, missing }: CatalogueService) {
  const { software, performance, cpus, memoryMiB, diskGiB } = metadata
  const size = [texts.cpus(cpus), texts.memory(mebibytes(memoryMiB)), texts.disk(mebibytes(diskGiB * 1024))]
  return (
    <ChoiceCard value={id} title={nodesTexts.sizes[performance]} disabled={missing !== null}>
      <Text size="sm">{size.join(' · ')}</Text>
      <Text size="sm" c="dimmed">
        {software}
      </Text>
      {missing !== null && (
        <Text size="sm" c="dimmed">
          {texts.missing}: {missing}
        </Text>
      )}
    </ChoiceCard>
  )
}

function ClusterFields({ form, dispatch }: StepProps) {
  const { wrongAlias, wrongCapacity } = workloadMistakes(form)
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <NumberInput
        label={texts.capacity}
        description={texts.capacityText}
        min={2}
        max={10}
        allowDecimal={false}
        value={form.capacity}
        onChange={(value) => dispatch({ type: 'changed', field: 'capacity', value: Number(value) })}
        error={wrongCapacity && texts.capacityText}
      />
      <TextInput
        label={texts.alias}
        description={texts.aliasText}
        value={form.alias}
        onChange={(event) => dispatch({ type: 'changed', field: 'alias', value: event.currentTarget.value })}
        error={wrongAlias && texts.aliasText}
      />
    </SimpleGrid>
  )
}

function OptionalFields({ form, dispatch }: StepProps) {
  const { wrongAddresses } = workloadMistakes(form)
  const { settings } = nodesTexts
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {texts.optional}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Textarea
          label={settings.allowedIps}
          description={settings.allowedIpsText}
          value={form.allowedIps}
          onChange={(event) => dispatch({ type: 'changed', field: 'allowedIps', value: event.currentTarget.value })}
          error={wrongAddresses.length > 0 ? settings.wrongAddress(wrongAddresses) : isOpenToAll(form) && texts.openToAll}
          autosize
          minRows={2}
        />
        <NativeSelect
          label={settings.lifetime}
          description={settings.restText}
          data={ttlChoices(settings.ttls)}
          value={form.ttl}
          onChange={({ currentTarget: { value } }) => isTtl(value) && dispatch({ type: 'changed', field: 'ttl', value })}
        />
      </SimpleGrid>
    </Stack>
  )
}
