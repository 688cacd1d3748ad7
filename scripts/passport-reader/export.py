# Writes the weights that the page loads from mrz.pt, which train.py leaves: normalisation folded in, one byte a weight by output
# channel, then a factor and an addend for each output. `network.ts` reads the layers in this order.
import os, torch
HERE = os.path.dirname(__file__)
TO = os.path.join(HERE, '../../src/features/visa/passport-reader/picture/network-weights.bin')
state = {name: value.float() for name, value in torch.load('mrz.pt', map_location='cpu').items()}
out = bytearray()

def fold(weights, norm):
    gain, bias, mean, variance = [state[f'{norm}.{part}'] for part in ('weight', 'bias', 'running_mean', 'running_var')]
    factor = gain / torch.sqrt(variance + 1e-5)
    weights = state[weights]
    return weights * factor.view(-1, *([1] * (weights.dim() - 1))), bias - mean * factor

def put(weights, bias):
    flat = weights.reshape(weights.shape[0], -1)
    scales = flat.abs().amax(1) / 127
    out.extend(torch.round(flat / scales[:, None]).clamp(-127, 127).to(torch.int8).numpy().tobytes())
    out.extend(b'\0' * (-len(out) % 4))
    out.extend(scales.numpy().astype('<f4').tobytes())
    out.extend(bias.numpy().astype('<f4').tobytes())

for layer in (0, 2, 4, 6, 8):
    put(*fold(f'f.{layer}.0.weight', f'f.{layer}.1'))
for block in ('d1', 'd2'):
    put(*fold(f'{block}.0.weight', f'{block}.1'))
    put(*fold(f'{block}.3.weight', f'{block}.4'))
put(state['o.weight'], state['o.bias'])
with open(TO, 'wb') as file:
    file.write(out)
