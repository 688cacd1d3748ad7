# Trains the network that reads machine-readable lines, on drawn lines alone, and leaves mrz.pt for export.py.
# Python with PyTorch, Pillow and NumPy: `T=380 B=256 python3 scripts/passport-reader/train.py`. T: seconds of training, minutes on a
# graphics card, hours on two processors; B: lines in a batch; OUT: where mrz.pt is written; SHOW=1 draws a batch to lines.png instead.
import math, os, random, time
import numpy as np, torch, torch.nn as nn, torch.nn.functional as F
from PIL import Image, ImageDraw, ImageFont

FONTS = os.path.join(os.path.dirname(__file__), '../../src/features/visa/passport-reader/testing/ocr-b/')
OUT = os.environ.get('OUT', '.')
SECONDS = float(os.environ.get('T', '380'))
LINES = int(os.environ.get('B', '256'))
REPORT_EVERY = int(os.environ.get('EV', '500'))
device = 'cuda' if torch.cuda.is_available() else 'cpu'
random.seed(1)
torch.manual_seed(1)

SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<'
BLANK = len(SIGNS)
ALIKE = '0OQD1I5S8B2Z6GUVAKCHMNW'
# Of a strip, as the reader cuts it out: how high it is, and how far apart its characters are.
HEIGHT, PITCH = 32, 14
# In a drawing, before it is made smaller: how far apart characters are, and how much of it is kept around the line.
CELL, KEPT = 30, 160

def numbers(signs): return torch.tensor([SIGNS.index(sign) for sign in signs], device=device)
LETTERS, LOOK_ALIKES = numbers(SIGNS[10:36]), numbers(ALIKE)
FILLER = SIGNS.index('<')

def between(count, least, most):
    """One number for each line, as a factor for its pixels."""
    return (least + (most - least) * torch.rand(count, device=device)).view(count, 1, 1, 1)

def some(count, share):
    """1 for this share of the lines, 0 for the others; the share can be one for each line."""
    return (torch.rand(count, 1, 1, 1, device=device) < share).float()

def clouds(count, height, width, cells):
    """Soft random shades, so many from left to right."""
    down = max(2, round(cells * height / width))
    return F.interpolate(torch.randn(count, 1, down, cells, device=device), (height, width), mode='bicubic', align_corners=False)

# ---- Print

def glyphs_of(name):
    """All signs of a font, ink 1, in cells of CELL by 48 pixels."""
    size = round(70 * 2 * CELL * 0.967 / ImageFont.truetype(FONTS + name, 70).getlength('H'))
    font = ImageFont.truetype(FONTS + name, size)
    cells = []
    for sign in SIGNS:
        cell = Image.new('L', (2 * CELL, 96), 0)
        ImageDraw.Draw(cell).text((CELL - font.getlength(sign) / 2, 8), sign, font=font, fill=255)
        cells.append(np.asarray(cell, dtype=np.float32) / 255)
    return F.avg_pool2d(torch.tensor(np.stack(cells), device=device)[:, None], 2)[:, 0]

GLYPHS = torch.stack([glyphs_of(name) for name in ('OCRB.otf', 'OCRB.otf', 'OCRBS.otf')])
inked = (GLYPHS[0].amax(dim=(0, 2)) > 0.5).nonzero()
GLYPHS = GLYPHS[:, :, max(0, int(inked.min()) - 3):int(inked.max()) + 4, :]

def texts(count, length):
    """Names with fillers, numbers with letters, characters that look alike, all signs; runs of one sign and of fillers."""
    at = torch.arange(length, device=device)[None]
    kind = torch.rand(count, 1, device=device)
    chance = lambda: torch.rand(count, length, device=device)
    letters = LETTERS[torch.randint(0, 26, (count, length), device=device)]
    digits = torch.randint(0, 10, (count, length), device=device)
    names = torch.where(chance() < .14, FILLER, letters)
    mixed = torch.where(chance() < .55, digits, letters)
    alike = LOOK_ALIKES[torch.randint(0, len(ALIKE), (count, length), device=device)]
    text = torch.randint(0, BLANK, (count, length), device=device)
    for share, one in ((.95, alike), (.8, mixed), (.4, names)): text = torch.where(kind < share, one, text)
    text = torch.where((chance() < .06) & (at > 0), text.roll(1, 1), text)
    filled_from = (torch.rand(count, 1, device=device) * 1.6 * length).long()
    text = torch.where((at >= filled_from) & (kind < .5), FILLER, text)
    start = (torch.rand(count, 1, device=device) * 1.5 * length).long()
    run = (torch.rand(count, 1, device=device) * 14).long()
    return torch.where((at >= start) & (at < start + run) & (kind > .4), FILLER, text)

def printed(text, font):
    count, length = text.shape
    return GLYPHS[font.expand(count, length), text].permute(0, 2, 1, 3).reshape(count, 1, GLYPHS.shape[2], length * CELL)

def blurred(image, across, down):
    """Each line by its own spread, in pixels."""
    count, _, height, width = image.shape
    flat = image.reshape(1, count, height, width)
    for spread, is_across in ((across, True), (down, False)):
        half = 5
        at = torch.arange(-half, half + 1, device=device).float()
        kernel = torch.exp(-at ** 2 / (2 * spread.view(count, 1).clamp(min=.05) ** 2))
        kernel = kernel / kernel.sum(1, keepdim=True)
        pad = (half, half, 0, 0) if is_across else (0, 0, half, half)
        shape = (count, 1, 1, -1) if is_across else (count, 1, -1, 1)
        flat = F.conv2d(F.pad(flat, pad, mode='replicate'), kernel.view(shape), groups=count)
    return flat.view(count, 1, height, width)

def ink_of(text, hard):
    """The line as it is printed, with lines above and below it or without: from 0 to 1, CELL pixels a character."""
    count, length = text.shape
    font = torch.randint(0, GLYPHS.shape[0], (count, 1), device=device)
    middle = printed(text, font)
    above = printed(texts(count, length), font) * some(count, .5)
    below = printed(texts(count, length), font) * some(count, .5)
    gap = torch.zeros(count, 1, int(GLYPHS.shape[2] * random.uniform(.5, 1.4)), length * CELL, device=device)
    page = torch.cat([above, gap, middle, gap, below], 2)
    cut = max(0, (page.shape[2] - KEPT) // 2)
    page = page[:, :, cut:page.shape[2] - cut]
    height, width = page.shape[2:]
    # Strokes of all widths, with rough edges: grain of the paper, sprayed ink, what a laser burns into plastic.
    soft = between(count, .4, 2.0)
    page = blurred(page, soft, soft)
    rough = clouds(count, height, width, width // random.choice([3, 4, 6])) * between(count, 0, .22) * some(count, .5 * hard)
    page = torch.sigmoid((page + rough - between(count, .2, .64)) * between(count, 5, 14))
    # In dots, of needles or a laser.
    y, x = torch.meshgrid(torch.arange(height, device=device).float(), torch.arange(width, device=device).float(), indexing='ij')
    apart = between(count, 2.6, 6)
    wave = 2 * math.pi / apart
    dots = torch.sigmoid((torch.cos(x * wave + between(count, 0, 6.3)) + torch.cos(y * wave + between(count, 0, 6.3)) + between(count, .2, 1.2)) * 3)
    page = page * (1 - (1 - dots) * between(count, .2, .9) * some(count, .25 * hard))
    # Worn off in places, and some characters paler than others.
    worn = torch.sigmoid((clouds(count, height, width, width // random.choice([6, 12, 30])) - between(count, .6, 1.8)) * 5)
    page = page * (1 - worn * between(count, .3, 1) * some(count, .3 * hard))
    pale = 1 - torch.rand(count, 1, 1, length, device=device) * between(count, 0, .45) * some(count, .5 * hard)
    return page * pale.repeat_interleave(CELL, 3)

# ---- Where the camera stands

def seen(page, length):
    """The page as a strip shows it: larger, smaller, slanted, bent, from one side. With the places of its first and last character."""
    count, _, page_height, page_width = page.shape
    width = int(length * PITCH * 1.12) + 28
    y, x = torch.meshgrid(torch.arange(HEIGHT, device=device).float(), torch.arange(width, device=device).float(), indexing='ij')
    one = lambda least, most: between(count, least, most).view(count, 1, 1)
    across = CELL / (one(.86, 1.13) * PITCH)
    down = across / one(.82, 1.25) * one(.95, 1.05)
    start = one(-3, 26)
    right, below = x[None] - start, y[None] - HEIGHT / 2 - one(-4.5, 4.5)
    low = below - one(-.022, .022) * (x[None] - width / 2) - one(0, 1.2) * torch.sin(x[None] / width * 6.28 * one(.5, 2) + one(0, 6.28))
    side = one(-.09, .09) * (x[None] / width - .5)
    u = (right + one(-.18, .18) * below) * (1 + side) * across
    v = low * down * (1 + 2 * side) + page_height / 2
    # Characters that do not stand quite where they should.
    loose = some(count, .3).view(count, 1, 1)
    place = (u / CELL).long().clamp(0, length - 1).flatten(1)
    for shift, most in ((u, 1.2), (v, 1.5)):
        moved = torch.randn(count, length, device=device) * most * torch.rand(count, 1, device=device)
        shift += moved.clamp(-2.5, 2.5).gather(1, place).view_as(shift) * loose
    grid = torch.stack([u / (page_width - 1) * 2 - 1, v / (page_height - 1) * 2 - 1], -1)
    smooth = (.42 * across * torch.ones_like(start)).view(count, 1, 1, 1)
    ink = F.grid_sample(blurred(page, smooth, smooth * .9), grid, align_corners=True, padding_mode='zeros')
    return ink, start.view(count, 1, 1, 1), (start + length * CELL / across).view(count, 1, 1, 1)

def on_paper(ink, start, end, hard):
    """Shades of the paper with its patterns, of the ink on it, of what lies around it, and of the light: from 0 (black) to 1. With
    how much of patterns and noise the contrast of the print allows, to 1."""
    count, _, height, width = ink.shape
    y, x = torch.meshgrid(torch.arange(height, device=device).float(), torch.arange(width, device=device).float(), indexing='ij')
    paper = between(count, .4, 1)
    dark = paper * between(count, .04, .78)
    bearable = (.15 + 1.5 * (paper - dark)).clamp(max=1)
    ground = clouds(count, height, width, random.randint(4, 24)) * between(count, 0, .09)
    for share, power in ((.5, 1), (.5 * hard, 6)):
        # Waves of fine lines, as on documents that are hard to copy; of a higher power they are thin and dark.
        turn, often = between(count, 0, 6.28), between(count, .2, 1.6)
        wave = torch.sin((x * torch.cos(turn) + y * torch.sin(turn)) * often + 2 * torch.sin(y / 5 + turn) + 1.5 * torch.sin(x / between(count, 9, 30)))
        line = wave if power == 1 else -wave.clamp(min=0) ** power * 3
        ground = ground + line * between(count, 0, .1) * some(count, share)
    ground = (ground + clouds(count, height, width, width // 2) * between(count, 0, .08)) * bearable
    image = (paper + ground) * (1 - ink) + (dark + ground * .4) * ink
    # Engraved in plastic: one side of each stroke shines, the other lies in shadow.
    raised = (ink - ink.roll((1, 1), (2, 3))) * between(count, -.25, .25) * some(count, .3 * hard)
    image = image + raised
    # The table around the document, whose edges are seldom level.
    edge = between(count, -.03, .03) * (x - width / 2)
    beyond = [(start - between(count, 8, 50) - x) * 2, (x - end - between(count, 8, 50)) * 2,
              (y - height / 2 - between(count, 12, 22) + edge) * 2, (height / 2 - between(count, 12, 22) - edge - y) * 2]
    for far, share in zip(beyond, (.3, .3, .15, .15)):
        around = (torch.sigmoid(far) * some(count, share)).clamp(0, 1)
        image = image * (1 - around) + (between(count, .05, 1) + ground) * around
    # Shadows, with soft edges or sharp ones.
    fall = torch.sigmoid((x - between(count, 0, 1) * width + between(count, -8, 8) * (y - height / 2) / 4) * between(count, .005, .5))
    image = image * (1 - fall * between(count, 0, .6) * some(count, .4))
    # A lamp, and the stripes of a hologram or of foil.
    middle, wide = between(count, 0, 1) * width, between(count, 15, 120)
    image = image + (1.05 - image) * torch.exp(-(x - middle) ** 2 / (2 * wide ** 2)) * between(count, .1, .75) * some(count, .2)
    slope, often = between(count, -2, 2), between(count, .03, .35)
    stripes = torch.sigmoid((torch.sin((x + slope * y) * often + clouds(count, height, width, 6)) - between(count, .2, .9)) * between(count, 2, 12))
    image = image + (between(count, .1, 1.1) - image) * stripes * between(count, .1, .6) * some(count, .3 * hard)
    return image, bearable

# ---- The camera

steps8 = torch.arange(8).float()
COSINES = torch.cos((2 * steps8[None] + 1) * steps8[:, None] * math.pi / 16) * math.sqrt(2 / 8)
COSINES[0] /= math.sqrt(2)
COSINES = COSINES.to(device)
# The table for brightness that JPEG's standard gives as an example.
COARSE = torch.tensor([[16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55], [14, 13, 16, 24, 40, 57, 69, 56],
    [14, 17, 22, 29, 51, 87, 80, 62], [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
    [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99]], device=device).float() / 255

def compressed(image, coarse):
    count, _, height, width = image.shape
    padded = F.pad(image, (0, -width % 8, 0, -height % 8), mode='replicate')
    high, wide = padded.shape[2:]
    blocks = padded.view(count, high // 8, 8, wide // 8, 8).permute(0, 1, 3, 2, 4)
    table = (COARSE[None] * coarse.view(count, 1, 1)).view(count, 1, 1, 8, 8)
    blocks = COSINES.T @ (torch.round(COSINES @ blocks @ COSINES.T / table) * table) @ COSINES
    return blocks.permute(0, 1, 3, 2, 4).reshape(count, 1, high, wide)[:, :, :height, :width]

def photographed(image, bearable, hard):
    """Blurred, noisy, sharpened and compressed, with the pixels that the camera had for it."""
    count, _, height, width = image.shape
    fine = random.uniform(.42, 1) if random.random() < .65 else 1
    size = (max(8, int(height * fine)), int(width * fine))
    if fine < 1: image = F.interpolate(image, size, mode='area')
    # Out of focus, or moved.
    spread = between(count, .05, 1.25) * some(count, .75) * fine
    moved = between(count, .5, 2) * some(count, .3 * hard) * fine
    is_level = some(count, .6)
    image = blurred(image, spread + moved * is_level, spread + moved * (1 - is_level))
    y, x = torch.meshgrid(torch.arange(size[0], device=device).float(), torch.arange(size[1], device=device).float(), indexing='ij')
    # The dots of a screen that is photographed.
    turn, often = between(count, 0, 6.28), between(count, .8, 3.1)
    screen = torch.sin((x * torch.cos(turn) + y * torch.sin(turn)) * often) * torch.sin((y * torch.cos(turn) - x * torch.sin(turn)) * often)
    image = image * (1 + screen * between(count, .02, .2) * some(count, .2 * hard))
    # Too much light or too little, then noise of single pixels and of blots.
    image = image * between(count, .75, 1.25) + between(count, -.1, .1)
    image = image + torch.randn_like(image) * between(count, 0, .07) * bearable
    blots = clouds(count, *size, max(4, int(size[1] / random.uniform(2, 5))))
    image = image + blots * between(count, 0, .07) * bearable * some(count, .5 * hard)
    edges = image - blurred(image, between(count, .6, 1.4), between(count, .6, 1.4))
    image = (image + edges * between(count, .3, 2) * some(count, .6 * hard)).clamp(0, 1)
    squeezed = compressed(image, between(count, .2, 2.2) * (1 + .6 * hard)).clamp(0, 1)
    image = torch.lerp(image, squeezed, some(count, .65))
    return image if fine == 1 else F.interpolate(image, (height, width), mode='bilinear', align_corners=False)

def batch(count, length, hard=1.):
    """Lines as the reader cuts them out, and what they say. `hard`, from 0 to 1: how hard to read the hardest of them are."""
    text = texts(count, length)
    hard = hard * between(count, 0, 1)
    image, bearable = on_paper(*seen(ink_of(text, hard), length), hard)
    # Each part of them with another number of pixels.
    parts = zip(image.chunk(4), bearable.chunk(4), hard.chunk(4))
    image = torch.cat([photographed(*part) for part in parts])
    mean, spread = image.mean((2, 3), keepdim=True), image.std((2, 3), keepdim=True) + .02
    return (image - mean) / spread, text

# ---- The network

class Net(nn.Module):
    def __init__(self, channels=(16, 32, 48, 72, 112)):
        super().__init__()
        a, b, c, d, e = channels
        def square(inputs, outputs, size=3, padding=1):
            return nn.Sequential(nn.Conv2d(inputs, outputs, size, padding=padding, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())
        def along(width):
            return nn.Sequential(nn.Conv1d(width, width, 5, padding=2, groups=width, bias=False), nn.BatchNorm1d(width), nn.ReLU(),
                                 nn.Conv1d(width, width, 1, bias=False), nn.BatchNorm1d(width), nn.ReLU())
        self.f = nn.Sequential(square(1, a), nn.MaxPool2d(2), square(a, b), nn.MaxPool2d(2), square(b, c), nn.MaxPool2d((2, 1)),
                               square(c, d), nn.MaxPool2d((2, 1)), square(d, e, (2, 1), 0))
        self.d1, self.d2 = along(e), along(e)
        self.o = nn.Conv1d(e, BLANK + 1, 1)

    def forward(self, lines):
        x = self.f(lines).squeeze(2)
        x = x + self.d1(x)
        x = x + self.d2(x)
        return self.o(x)

def right_of(answer, text):
    """How many lines are read as they are written."""
    right = 0
    for best, line in zip(answer.argmax(2).T, text):
        signs = torch.unique_consecutive(best)
        signs = signs[signs != BLANK]
        right += int(signs.numel() == line.numel() and bool((signs == line).all()))
    return right

def show():
    lines, _ = batch(48, 44)
    shades = ((lines[:, 0] * 60 + 150).clamp(0, 255).byte().cpu().numpy()).reshape(-1, lines.shape[3])
    Image.fromarray(shades).save(OUT + '/lines.png')

def train():
    net = Net().to(device)
    print('weights', sum(p.numel() for p in net.parameters()), 'on', device, flush=True)
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-2)
    measure = nn.CTCLoss(blank=BLANK, zero_infinity=True)
    start, step = time.time(), 0
    while (done := (time.time() - start) / SECONDS) < 1:
        rate = 3e-3 * min(1, step / 200 + .01) * (.5 * (1 + math.cos(math.pi * done)) + .002)
        for group in optimizer.param_groups: group['lr'] = rate
        length = random.choice([30, 36, 44, 44, 24])
        with torch.no_grad(): lines, text = batch(LINES, length, min(1., .2 + 4 * done))
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == 'cuda'): answer = net(lines)
        answer = F.log_softmax(answer.float(), 1).permute(2, 0, 1)
        lengths = [torch.full((LINES,), size, dtype=torch.long) for size in (answer.shape[0], length)]
        loss = measure(answer, text, *lengths)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.)
        optimizer.step()
        step += 1
        if step % REPORT_EVERY == 0:
            print(step, f'{time.time() - start:.0f} s, loss {loss.item():.4f}, lines right {right_of(answer, text)} / {LINES}', flush=True)
    torch.save({name: value.half() for name, value in net.eval().state_dict().items()}, OUT + '/mrz.pt')

show() if os.environ.get('SHOW') else train()
