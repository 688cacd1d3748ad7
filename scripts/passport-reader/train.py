# Trains the network that reads machine-readable lines, on drawn lines alone, and leaves mrz.pt for export.py.
# Python with PyTorch, Pillow and NumPy: `T=330 B=256 python3 scripts/passport-reader/train.py`. T: seconds of training, minutes on a
# graphics card, hours on two processors; B: lines in a batch; OUT: where mrz.pt is written.
import torch,torch.nn as nn,torch.nn.functional as F,math,time,json,os,sys,random,re
from PIL import Image,ImageDraw,ImageFont
import numpy as np
FONTS=os.path.join(os.path.dirname(__file__),'../../src/features/visa/passport-reader/testing/ocr-b/')
dev='cuda' if torch.cuda.is_available() else 'cpu'
AL='0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<'; NC=len(AL)
H,CP=32,14
torch.manual_seed(1); random.seed(1)
torch.backends.cudnn.benchmark=False
# ---- glyph atlases: cell 60 wide x 96 high, ink=1
def atlas(path,px):
    f=ImageFont.truetype(path,px); cells=[]
    adv=f.getlength('A')
    for c in AL:
        im=Image.new('L',(60,96),0); d=ImageDraw.Draw(im); w=f.getlength(c); d.text((30-w/2,8),c,font=f,fill=255); cells.append(np.asarray(im,dtype=np.float32)/255)
    return np.stack(cells)
def fit(path):
    px=70; f=ImageFont.truetype(path,px); adv=f.getlength('H'); px=int(px*58/max(adv,1)); 
    return atlas(path,px)
A=[fit(FONTS+'OCRB.otf'),fit(FONTS+'OCRB.otf'),fit(FONTS+'OCRBS.otf')]
AT=torch.tensor(np.stack(A),device=dev) # K,37,96,60
rows=(AT[0].amax(dim=(0,2))>0.5).nonzero(); y0,y1=int(rows.min()),int(rows.max()); print('ink rows',y0,y1,flush=True)
AT=AT[:,:,y0-6:y1+7,:]; GH=AT.shape[2]
def gauss(x,s):  # one sigma for the whole batch
    s=max(float(s),.05); k=7 if s<1.6 else 11; r=torch.arange(-(k//2),k//2+1,device=x.device).float(); g=torch.exp(-(r**2)/(2*s*s)); g=(g/g.sum())
    x=F.conv2d(F.pad(x,(k//2,k//2,0,0),mode='replicate'),g.view(1,1,1,k)); return F.conv2d(F.pad(x,(0,0,k//2,k//2),mode='replicate'),g.view(1,1,k,1))
n8=torch.arange(8).float(); D=torch.cos((2*n8[None]+1)*n8[:,None]*math.pi/16)*math.sqrt(2/8); D[0]*=1/math.sqrt(2); D=D.to(dev)
Q=torch.tensor([[16,11,10,16,24,40,51,61],[12,12,14,19,26,58,60,55],[14,13,16,24,40,57,69,56],[14,17,22,29,51,87,80,62],[18,22,37,56,68,109,103,77],[24,35,55,64,81,104,113,92],[49,64,78,87,103,121,120,101],[72,92,95,98,112,100,103,99]],device=dev).float()/255
def jpeg(x,q):
    B,_,h,w=x.shape; x=F.pad(x,(0,(8-w%8)%8,0,(8-h%8)%8),mode='replicate'); hh,ww=x.shape[2:]
    b=x.view(B,hh//8,8,ww//8,8).permute(0,1,3,2,4); c=D@b@D.T; s=(Q[None]*q[:,None,None]).view(B,1,1,8,8); c=torch.round(c/s)*s; b=D.T@c@D
    return b.permute(0,1,3,2,4).reshape(B,1,hh,ww)[:,:,:h,:w]
LTR=torch.tensor([AL.index(c) for c in 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],device=dev)
def texts(B,N):
    # mixture: names with fillers, digits, mixed
    t=torch.randint(0,NC,(B,N),device=dev); kind=torch.rand(B,1,device=dev)
    let=LTR[torch.randint(0,26,(B,N),device=dev)]; dig=torch.randint(0,10,(B,N),device=dev)
    mixd=torch.where(torch.rand(B,N,device=dev)<.55,dig,let); nm=torch.where(torch.rand(B,N,device=dev)<.14,torch.full_like(let,36),let)
    t=torch.where(kind<.42,nm,torch.where(kind<.85,mixd,t))
    cut=(torch.rand(B,1,device=dev)*1.6*N).long(); pos=torch.arange(N,device=dev)[None]; t=torch.where((pos>=cut)&(kind<.5),torch.full_like(t,36),t)
    st=(torch.rand(B,1,device=dev)*1.5*N).long(); ln=(torch.rand(B,1,device=dev)*14).long(); t=torch.where((pos>=st)&(pos<st+ln)&(kind>.42),torch.full_like(t,36),t)
    return t
def render(t):
    B,N=t.shape; k=torch.randint(0,AT.shape[0],(B,1),device=dev).expand(B,N); g=AT[k,t]; return g.permute(0,2,1,3).reshape(B,1,GH,N*60)
def R(B,a,b): return a+(b-a)*torch.rand(B,device=dev)
def batch(B,N):
    t=texts(B,N); x=render(t)
    # three text rows in a tall canvas with the line in the middle
    gap=random.uniform(.55,1.4); gp=int(GH*gap)
    up,dn=render(texts(B,N)),render(texts(B,N)); pu=(torch.rand(B,1,1,1,device=dev)<.5).float(); pd=(torch.rand(B,1,1,1,device=dev)<.5).float()
    z=torch.zeros(B,1,gp,N*60,device=dev); can=torch.cat([up*pu,z,x,z,dn*pd],2)
    can=F.avg_pool2d(can,2)
    # stroke weight
    can=gauss(can,random.uniform(.4,2.2)); th=R(B,.22,.62).view(B,1,1,1); sh=R(B,6,14).view(B,1,1,1); can=torch.sigmoid((can-th)*sh)
    # geometry: output H x W, char pitch random
    W=int(N*CP*1.12)+28; hc,wc=can.shape[2:]; cellw=30.0
    pitch=R(B,.86,1.13)*CP; asp=R(B,.82,1.25) # vertical vs horizontal
    sx=cellw/pitch; sy=sx/asp*R(B,.95,1.05); offx=R(B,-3,26); offy=R(B,-4.5,4.5)
    yy,xx=torch.meshgrid(torch.arange(H,device=dev).float(),torch.arange(W,device=dev).float(),indexing='ij')
    rot=R(B,-.022,.022); shear=R(B,-.16,.16); amp=R(B,0,1.2); ph=R(B,0,6.28); fr=R(B,.5,2.)
    X=xx[None]-offx.view(B,1,1); Y=yy[None]-H/2-offy.view(B,1,1); cx=W/2
    Y2=Y-rot.view(B,1,1)*(xx[None]-cx)-amp.view(B,1,1)*torch.sin(xx[None]/W*6.28*fr.view(B,1,1)+ph.view(B,1,1)); X2=X+shear.view(B,1,1)*Y
    per=R(B,-.08,.08).view(B,1,1); X2=X2*(1+per*(xx[None]/W-.5))
    u=X2*sx.view(B,1,1); v=Y2*sy.view(B,1,1)*(1+per*(xx[None]/W-.5)*2)+hc/2
    grid=torch.stack([u/(wc-1)*2-1,v/(hc-1)*2-1],-1)
    # antialias: blur before sampling by scale
    can=gauss(can,.42*cellw/CP); ink=F.grid_sample(can,grid,align_corners=True,padding_mode='zeros')
    # resolution loss
    if random.random()<.6:
        f=random.uniform(.42,.95); h2,w2=max(8,int(H*f)),int(W*f); ink=F.interpolate(F.interpolate(ink,(h2,w2),mode='area'),(H,W),mode='bilinear',align_corners=False)
    # paper
    paper=R(B,.45,1.).view(B,1,1,1); dark=(paper*R(B,.05,.72).view(B,1,1,1))
    bg=F.interpolate(torch.randn(B,1,4,random.randint(4,24),device=dev),(H,W),mode='bicubic',align_corners=False)*R(B,0,.09).view(B,1,1,1)
    a1=R(B,0,6.28).view(B,1,1,1); fq=R(B,.2,1.6).view(B,1,1,1); wv=torch.sin((xx*torch.cos(a1)+yy*torch.sin(a1))*fq+2*torch.sin(yy/5+a1)+1.5*torch.sin(xx/17)); bg=bg+wv*(R(B,0,.10)*(torch.rand(B,device=dev)<.55)).view(B,1,1,1)
    fine=F.interpolate(torch.randn(B,1,H//2,W//2,device=dev),(H,W),mode='bilinear',align_corners=False)*R(B,0,.08).view(B,1,1,1)
    img=(paper+bg+fine)*(1-ink)+(dark+bg*.4)*ink
    gl=R(B,0,1.); gx=R(B,0,W).view(B,1,1,1); gw=R(B,20,120).view(B,1,1,1); glare=torch.exp(-((xx-gx)**2)/(2*gw**2))*((torch.rand(B,device=dev)<.2).float()*R(B,.1,.6)).view(B,1,1,1); img=img+(1.05-img)*glare
    img=gauss(img,random.uniform(.05,1.25)) if random.random()<.75 else img; img=img+torch.randn_like(img)*R(B,0,.06).view(B,1,1,1)
    img=img.clamp(0,1)
    if random.random()<.6: img=jpeg(img,R(B,.2,2.2)).clamp(0,1)
    m=img.mean((2,3),keepdim=True); sd=img.std((2,3),keepdim=True)+.02; return (img-m)/sd,t
class Net(nn.Module):
    def __init__(s,c=(16,32,48,72,112)):
        super().__init__(); a,b,d,e,g=c
        def cb(i,o,k=3,p=1): return nn.Sequential(nn.Conv2d(i,o,k,padding=p,bias=False),nn.BatchNorm2d(o),nn.ReLU())
        s.f=nn.Sequential(cb(1,a),nn.MaxPool2d(2),cb(a,b),nn.MaxPool2d((2,2)),cb(b,d),nn.MaxPool2d((2,1)),cb(d,e),nn.MaxPool2d((2,1)),cb(e,g,(2,1),0))
        def dw(i): return nn.Sequential(nn.Conv1d(i,i,5,padding=2,groups=i,bias=False),nn.BatchNorm1d(i),nn.ReLU(),nn.Conv1d(i,i,1,bias=False),nn.BatchNorm1d(i),nn.ReLU())
        s.d1,s.d2=dw(g),dw(g); s.o=nn.Conv1d(g,NC+1,1)
    def forward(s,x):
        x=s.f(x).squeeze(2); x=x+s.d1(x); x=x+s.d2(x); return s.o(x)
net=Net().to(dev); print('params',sum(p.numel() for p in net.parameters()),flush=True)
T=float(os.environ.get('T','420')); B=int(os.environ.get('B','160')); opt=torch.optim.AdamW(net.parameters(),lr=3e-3,weight_decay=1e-2); t0=time.time(); step=0; ctc=nn.CTCLoss(blank=NC,zero_infinity=True)
def lens(N,B): return torch.full((B,),N,dtype=torch.long)
while time.time()-t0<T:
    fr=(time.time()-t0)/T; lr=3e-3*min(1,step/200+.01)*(0.5*(1+math.cos(math.pi*fr))+.004)
    for gq in opt.param_groups: gq['lr']=lr
    N=random.choice([30,36,44,44,24]); 
    with torch.no_grad(): x,t=batch(B,N)
    with torch.autocast(dev,dtype=torch.bfloat16,enabled=dev=='cuda'): y=net(x)
    lp=F.log_softmax(y.float(),1).permute(2,0,1); loss=ctc(lp,t,lens(lp.shape[0],B),lens(N,B)); opt.zero_grad(); loss.backward(); nn.utils.clip_grad_norm_(net.parameters(),2.); opt.step(); step+=1
    if step%int(os.environ.get('EV','250'))==0:
        p=lp.argmax(2).T; ok=tot=0
        for i in range(min(48,B)):
            q=torch.unique_consecutive(p[i]); q=q[q!=NC]; ok+=int(q.numel()==N and bool((q==t[i]).all())); tot+=1
        print(step,round(time.time()-t0),'loss',round(loss.item(),4),'lines right',ok,'/',tot,flush=True)
net.eval(); OUT=os.environ.get('OUT','.'); torch.save({k:v.half() for k,v in net.state_dict().items()},OUT+'/mrz.pt')

